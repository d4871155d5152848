"""The Lambda entry point of the answer function: ``functions.answer.handler.handler``."""

from mangum import Mangum

from functions.answer.routes import router
from functions.app import create_app

app = create_app(router)
# State is held outside the lifespan, which Mangum would run for every invocation.
handler = Mangum(app, lifespan="off", api_gateway_base_path=app.root_path or "/")
