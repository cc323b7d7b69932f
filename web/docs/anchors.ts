import { loadIndex } from './index-file.ts'

/**
 * The documentation was one page, `/docs#createPage`. Links to it are in the answers and texts of
 * others, so an anchor that this page does not have leads to the page that has it.
 */
export function goToOldAnchor(): void {
  const anchor = location.hash.slice(1)
  if (location.pathname !== '/docs' || anchor === '' || document.getElementById(anchor)) return
  void loadIndex().then((entries) => {
    const target =
      entries.find(({ url }) => url.endsWith(`#${anchor}`)) ??
      entries.find(({ url }) => url.endsWith(`/${anchor}`))
    if (target !== undefined) location.replace(target.url)
  })
}
