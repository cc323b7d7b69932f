import type { FindFile } from './find-file.ts'

/**
 * Shows the file that a script of the page went to by an address at the root of this host. In a
 * sandbox no browser asks the page's document first: the policy of this document blocks the frame,
 * and the browser reports the address, without its hash.
 *
 * @param follow called with a path below the page's files. There may be no such file: the server
 * then says so in the frame, where the browser would say that something is blocked
 */
export function watchBlockedNavigation(findFile: FindFile, follow: (path: string) => void): void {
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    const url = URL.parse(blockedURI)
    if (effectiveDirective !== 'frame-src' || url?.origin !== location.origin) return
    follow(findFile(url) ?? url.pathname.slice(1) + url.search)
  })
}
