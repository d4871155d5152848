"""The Lambda entry point of the graph function: ``functions.graph.handler.handler``."""

from mangum import Mangum

from functions.app import create_app
from functions.graph.routes import router
from index_artifacts.manifest import INDEX_FILE

# Names and rules answer: the encoder, most of what a version weighs, is left where it is.
app = create_app(router, files=(INDEX_FILE,))
# State is held outside the lifespan, which Mangum would run for every invocation.
handler = Mangum(app, lifespan="off", api_gateway_base_path=app.root_path or "/")
