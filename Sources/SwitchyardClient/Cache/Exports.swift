// The configuration of the cache is made of its types: an app needs no second import.
@_exported public import SwitchyardTokenStorage
