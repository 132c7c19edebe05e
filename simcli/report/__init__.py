"""Reports: what comparisons and experiments found, put together, drawn, and written as one page."""
