/** No selector here outweighs any of the page's. */
const RULES = `
:where([data-service-message]) {
  flex-basis: 100%;
  grid-column: 1 / -1;
  margin-block: 0.75em 0;
  overflow-wrap: anywhere;
}
:where([data-service-message][role=alert]) { font-weight: 600 }
`

/** For documents and shadow roots. A page's own policy of styles has no say in this one. */
export function createStyle() {
  let sheet: CSSStyleSheet | undefined
  return {
    adopt(root: Node | Partial<DocumentOrShadowRoot>): void {
      if (!('adoptedStyleSheets' in root)) return
      if (sheet === undefined) {
        sheet = new CSSStyleSheet()
        sheet.replaceSync(RULES)
      }
      if (root.adoptedStyleSheets.includes(sheet)) return
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
    },
  }
}
