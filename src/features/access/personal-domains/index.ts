import domains from './domains.txt' with { type: 'text' }

/** Well-known domains that the list lacks: private mail, aliases and a few large providers. */
const MORE = [
  'aleeas.com',
  'bbox.fr',
  'bredband.net',
  'disroot.org',
  'hey.com',
  'kolabnow.com',
  'mailbox.org',
  'mozmail.com',
  'passmail.net',
  'privaterelay.appleid.com',
  'riseup.net',
  'simplelogin.com',
  'skiff.com',
  'startmail.com',
  'talktalk.net',
  'telia.com',
  'tin.it',
  'tuta.com',
  'tutamail.com',
  'tutanota.com',
  'vivaldi.net',
  'zoznam.sk',
]

/**
 * @returns whether a domain, or a parent domain of it, gives mail addresses to anybody. The list is
 * parsed at the first call.
 */
export function createPersonalDomains(): (domain: string) => boolean {
  let domainSet: Set<string> | undefined
  return (domain) => {
    domainSet ??= new Set([...domainLines(), ...MORE])
    for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
      if (domainSet.has(name)) return true
    }
    return false
  }
}

function domainLines(): string[] {
  return domains.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}
