"""The Lambda entry point of the schema function: ``functions.schema.handler.handler``.

Each function knows its own operations alone; chat tools import one schema with all of them.
"""

from mangum import Mangum

from functions.local import create_local_app

app = create_local_app()
# State is held outside the lifespan, which Mangum would run for every invocation.
handler = Mangum(app, lifespan="off", api_gateway_base_path=app.root_path or "/")
