import domains from './domains.txt' with { type: 'text' }

/** Whether a domain, or a parent domain of it, gives mail addresses to anybody. */
export const isPersonalDomain = /* @__PURE__ */ createPersonalDomains()

/** The list is parsed at the first call. */
function createPersonalDomains(): (domain: string) => boolean {
  let domainSet: Set<string> | undefined
  return (domain) => {
    domainSet ??= new Set(domainLines())
    for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
      if (domainSet.has(name)) return true
    }
    return false
  }
}

function domainLines(): string[] {
  return domains.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}
