// Starts Swagger UI in the browser. The operations are tried out on the very host the page came from, whichever of the
// service's names that is: the document's own server address may be another name, which the browser would refuse.
const { base } = document.currentScript.dataset

const dark = matchMedia('(prefers-color-scheme: dark)')
const followTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
followTheme()
dark.addEventListener('change', followTheme)
// Swagger UI's dark theme leaves the names of headers almost invisible. The link to the guide is laid out as its title is,
// which leaves 150 pixels between the two, and 50 above them.
const amended = new CSSStyleSheet()
amended.replaceSync(`
  .dark-mode .swagger-ui td.header-col { color: #e4e6e6 }
  nav.swagger-ui .info { margin: 20px auto 0 }
  #swagger-ui .information-container { padding-top: 0 }
  #swagger-ui .info { margin-top: 20px }
`)
document.adoptedStyleSheets.push(amended)

// Behind "Authorize" the last field has the focus: that has to be the one of the key, which everybody pastes there.
function keyLast({ components, ...document }) {
  const schemes = Object.entries(components.securitySchemes).reverse()
  return { ...document, components: { ...components, securitySchemes: Object.fromEntries(schemes) } }
}

const thisHost = {
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (document) =>
          update({ ...keyLast(document), servers: [{ url: location.origin + base }] }),
      },
    },
  },
}

// A key that was typed in is kept for this tab and gone with it; what an earlier version kept for longer goes now.
const KEPT = 'frontdesk-docs-authorized'
const inTab = (work) => {
  try {
    localStorage.removeItem('authorized')
    return work(sessionStorage)
  } catch {
    // A browser that stores nothing: the key is typed in again.
    return null
  }
}
const keep = (given, system) => {
  const authorized = system.authSelectors.authorized()
  inTab((storage) => storage.setItem(KEPT, JSON.stringify(authorized?.toJS() ?? {})))
  return given
}
const forThisTab = {
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize, system) => (payload) => keep(authorize(payload), system),
        logout: (logout, system) => (payload) => keep(logout(payload), system),
      },
    },
  },
}

// A page of the console may have left a key for this one: see `console/client/docs-key.ts`. It is taken once.
const takeKey = () => {
  try {
    const key = sessionStorage.getItem('frontdesk-docs-key')
    sessionStorage.removeItem('frontdesk-docs-key')
    return key
  } catch {
    return null
  }
}

window.addEventListener('load', () => {
  const key = takeKey()
  const ui = SwaggerUIBundle({
    url: `${base}/docs/json`,
    dom_id: '#swagger-ui',
    deepLinking: true,
    displayRequestDuration: true,
    filter: true,
    validatorUrl: null,
    plugins: [thisHost, forThisTab],
    onComplete: () => {
      const kept = inTab((storage) => storage.getItem(KEPT))
      if (kept) ui.authActions.restoreAuthorization({ authorized: JSON.parse(kept) })
      if (key) ui.preauthorizeApiKey('bearer', key)
      // Somebody's own token stays.
      const token = ui.specSelectors.specJson().getIn(['components', 'securitySchemes', 'visitor', 'x-example'])
      if (token && !ui.authSelectors.authorized().has('visitor')) ui.preauthorizeApiKey('visitor', token)
    },
  })
})
