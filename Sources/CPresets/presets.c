#include "SwitchyardCPresets.h"

// In C, because Swift takes twenty seconds to compile so many bytes as an array. A test compares this list with the
// folder.

// `#embed` is C23; clang takes it in older C too, and warns of each.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char adfs[] = {
#embed "../Presets/Data/adfs.yaml"
};
static const unsigned char amazon[] = {
#embed "../Presets/Data/amazon.yaml"
};
static const unsigned char apple[] = {
#embed "../Presets/Data/apple.yaml"
};
static const unsigned char atlassian[] = {
#embed "../Presets/Data/atlassian.yaml"
};
static const unsigned char auth0[] = {
#embed "../Presets/Data/auth0.yaml"
};
static const unsigned char authelia[] = {
#embed "../Presets/Data/authelia.yaml"
};
static const unsigned char authentik[] = {
#embed "../Presets/Data/authentik.yaml"
};
static const unsigned char b2c[] = {
#embed "../Presets/Data/b2c.yaml"
};
static const unsigned char bitbucket[] = {
#embed "../Presets/Data/bitbucket.yaml"
};
static const unsigned char box[] = {
#embed "../Presets/Data/box.yaml"
};
static const unsigned char cognito[] = {
#embed "../Presets/Data/cognito.yaml"
};
static const unsigned char discord[] = {
#embed "../Presets/Data/discord.yaml"
};
static const unsigned char dropbox[] = {
#embed "../Presets/Data/dropbox.yaml"
};
static const unsigned char entra[] = {
#embed "../Presets/Data/entra.yaml"
};
static const unsigned char external_id[] = {
#embed "../Presets/Data/external-id.yaml"
};
static const unsigned char facebook[] = {
#embed "../Presets/Data/facebook.yaml"
};
static const unsigned char figma[] = {
#embed "../Presets/Data/figma.yaml"
};
static const unsigned char github[] = {
#embed "../Presets/Data/github.yaml"
};
static const unsigned char gitlab[] = {
#embed "../Presets/Data/gitlab.yaml"
};
static const unsigned char google[] = {
#embed "../Presets/Data/google.yaml"
};
static const unsigned char hubspot[] = {
#embed "../Presets/Data/hubspot.yaml"
};
static const unsigned char keycloak[] = {
#embed "../Presets/Data/keycloak.yaml"
};
static const unsigned char line[] = {
#embed "../Presets/Data/line.yaml"
};
static const unsigned char linkedin[] = {
#embed "../Presets/Data/linkedin.yaml"
};
static const unsigned char notion[] = {
#embed "../Presets/Data/notion.yaml"
};
static const unsigned char okta[] = {
#embed "../Presets/Data/okta.yaml"
};
static const unsigned char onelogin[] = {
#embed "../Presets/Data/onelogin.yaml"
};
static const unsigned char quickbooks[] = {
#embed "../Presets/Data/quickbooks.yaml"
};
static const unsigned char salesforce[] = {
#embed "../Presets/Data/salesforce.yaml"
};
static const unsigned char slack[] = {
#embed "../Presets/Data/slack.yaml"
};
static const unsigned char spotify[] = {
#embed "../Presets/Data/spotify.yaml"
};
static const unsigned char twitch[] = {
#embed "../Presets/Data/twitch.yaml"
};
static const unsigned char x[] = {
#embed "../Presets/Data/x.yaml"
};
static const unsigned char zitadel[] = {
#embed "../Presets/Data/zitadel.yaml"
};
static const unsigned char zoom[] = {
#embed "../Presets/Data/zoom.yaml"
};

#define PRESET(name, bytes) {name, bytes, sizeof bytes}

static const struct sy_preset presets[] = {
    PRESET("adfs", adfs),
    PRESET("amazon", amazon),
    PRESET("apple", apple),
    PRESET("atlassian", atlassian),
    PRESET("auth0", auth0),
    PRESET("authelia", authelia),
    PRESET("authentik", authentik),
    PRESET("b2c", b2c),
    PRESET("bitbucket", bitbucket),
    PRESET("box", box),
    PRESET("cognito", cognito),
    PRESET("discord", discord),
    PRESET("dropbox", dropbox),
    PRESET("entra", entra),
    PRESET("external-id", external_id),
    PRESET("facebook", facebook),
    PRESET("figma", figma),
    PRESET("github", github),
    PRESET("gitlab", gitlab),
    PRESET("google", google),
    PRESET("hubspot", hubspot),
    PRESET("keycloak", keycloak),
    PRESET("line", line),
    PRESET("linkedin", linkedin),
    PRESET("notion", notion),
    PRESET("okta", okta),
    PRESET("onelogin", onelogin),
    PRESET("quickbooks", quickbooks),
    PRESET("salesforce", salesforce),
    PRESET("slack", slack),
    PRESET("spotify", spotify),
    PRESET("twitch", twitch),
    PRESET("x", x),
    PRESET("zitadel", zitadel),
    PRESET("zoom", zoom),
};

const size_t sy_preset_count = sizeof presets / sizeof presets[0];

const struct sy_preset *sy_preset_at(size_t number) { return &presets[number]; }
