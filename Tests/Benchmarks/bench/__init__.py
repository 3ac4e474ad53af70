"""Measures Switchyard beside nginx and Apache with mod_auth_openidc."""
