"""Reports: charts, and the page around them."""
