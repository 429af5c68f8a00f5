"""Pictures and replay pages, common to all worlds.

Start with :mod:`otherminds.view.shapes` for pictures and with :mod:`otherminds.view.page` for replay pages.
"""
