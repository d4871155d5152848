"""The Lambda entry point of the ui function: ``functions.ui.handler.handler``."""

from mangum import Mangum

from functions.app import create_app
from functions.ui.routes import router

app = create_app(router)
# State is held outside the lifespan, which Mangum would run for every invocation.
handler = Mangum(app, lifespan="off", api_gateway_base_path=app.root_path or "/")
