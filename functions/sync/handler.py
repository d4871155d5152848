"""The Lambda entry point of the sync function: ``functions.sync.handler.handler``."""

from mangum import Mangum

from functions.app import create_app
from functions.sync.routes import BODY_LIMITS, router
from index_artifacts.manifest import INDEX_FILE

app = create_app(router, files=(INDEX_FILE,), body_limits=BODY_LIMITS)
# State is held outside the lifespan, which Mangum would run for every invocation.
handler = Mangum(app, lifespan="off", api_gateway_base_path=app.root_path or "/")
