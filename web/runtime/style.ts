/** `:where` has no specificity, so every rule of the page takes precedence. */
const RULES = `
:where([data-service-message]) {
  flex-basis: 100%;
  grid-column: 1 / -1;
  margin-block: 0.75em 0;
  overflow-wrap: anywhere;
}
:where([data-service-message][role=alert]) { font-weight: 600 }
`

/** Adopts a constructed style sheet, to which the page's own CSP does not apply. */
export function createStyle() {
  let styleSheet: CSSStyleSheet | undefined
  return {
    adopt(root: Node | Partial<DocumentOrShadowRoot>): void {
      if (!('adoptedStyleSheets' in root)) return
      if (styleSheet === undefined) {
        styleSheet = new CSSStyleSheet()
        styleSheet.replaceSync(RULES)
      }
      if (root.adoptedStyleSheets.includes(styleSheet)) return
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, styleSheet]
    },
  }
}
