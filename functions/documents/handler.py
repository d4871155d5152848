"""The Lambda entry point of the documents function: ``functions.documents.handler.handler``."""

from mangum import Mangum

from functions.app import create_app
from functions.documents.routes import body_limits, routers
from functions.settings import load_settings
from functions.sync.requests import request_sync
from index_artifacts.manifest import INDEX_FILE

settings = load_settings()
# Pages are read and counted: the encoder, most of what a version weighs, is left where it is.
app = create_app(
    *routers, settings=settings, files=(INDEX_FILE,), body_limits=body_limits(settings)
)
if settings.sync_key.get_secret_value():  # else the forge's own workflow rebuilds
    app.state.request_sync = request_sync
# State is held outside the lifespan, which Mangum would run for every invocation.
handler = Mangum(app, lifespan="off", api_gateway_base_path=app.root_path or "/")
