import { LRUCache } from 'lru-cache'
import type { Page } from '../../model/page/index.ts'
import type { Participant, Viewer } from '../../model/viewer.ts'
import { displayEmail } from '../../platform/display-email.ts'
import { atMost } from '../../platform/lru.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { aliasOf } from './aliases.ts'

/** A viewer is identified by a confirmed address, or else by the random id of the browser. */
export type ViewerIdentity = { email: string } | { device: string }

/** A verified participant of a page's conversations. */
export interface ParticipantFacts {
  isOwner: boolean
  /** Proved addresses; the one that names the participant is first. */
  emails: readonly string[]
  /** The random id of the browser. */
  device: string
}

export interface Viewers {
  viewerOf(page: Page, identity: ViewerIdentity): Viewer
  participantOf(page: Page, facts: ParticipantFacts): Participant
}

/** The number of cached participants: their panels send requests every few seconds. */
const MAX_BROWSERS = 20_000

/** A browser on one page. */
interface Browser {
  key: string
  alias: string
}

export function createViewers({ secrets }: { secrets: Secrets }): Viewers {
  const emailKey = ({ id }: Page, email: string) => secrets.sign('viewer', id, 'email', email)
  const browsers = new LRUCache<string, Browser>(atMost(MAX_BROWSERS))

  function browserOf({ id }: Page, device: string): Browser {
    const name = `${id} ${device}`
    const known = browsers.get(name)
    if (known !== undefined) return known
    const key = secrets.sign('viewer', id, 'device', device)
    const browser = { key, alias: aliasOf(key) }
    browsers.set(name, browser)
    return browser
  }

  return {
    viewerOf(page, identity) {
      if ('email' in identity) {
        const { email } = identity
        return { key: emailKey(page, email), email, displayName: displayEmail(email) }
      }
      const { key, alias } = browserOf(page, identity.device)
      return { key, email: null, displayName: alias }
    },
    participantOf(page, { isOwner, emails, device }) {
      const browser = browserOf(page, device)
      const { key: deviceKey } = browser
      const email = emails[0] ?? null
      if (email === null) {
        return { kind: isOwner ? 'owner' : 'anonymous', email, emails, deviceKey, ...browser }
      }
      const key = emailKey(page, email)
      const kind = isOwner ? 'owner' : 'confirmed'
      return { kind, email, emails, key, deviceKey, alias: aliasOf(key) }
    },
  }
}
