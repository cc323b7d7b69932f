import type { Page } from '../../model/page/index.ts'
import type { Participant, Viewer } from '../../model/viewer.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { aliasOf } from './aliases.ts'

/** A viewer is known by a confirmed address, or else by the random id of the browser. */
export type ViewerIdentity = { email: string } | { device: string }

/** What is proved about somebody who takes part in a page's conversations. */
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

export function createViewers({ secrets }: { secrets: Secrets }): Viewers {
  const emailKey = ({ id }: Page, email: string) => secrets.sign('viewer', id, 'email', email)
  const deviceKey = ({ id }: Page, device: string) => secrets.sign('viewer', id, 'device', device)

  return {
    viewerOf(page, identity) {
      if ('email' in identity) {
        const { email } = identity
        return { key: emailKey(page, email), email, displayName: displayEmail(email) }
      }
      const key = deviceKey(page, identity.device)
      return { key, email: null, displayName: aliasOf(key) }
    },
    participantOf(page, { isOwner, emails, device }) {
      const ofDevice = deviceKey(page, device)
      const email = emails[0] ?? null
      const key = email === null ? ofDevice : emailKey(page, email)
      const kind = isOwner ? 'owner' : email === null ? 'anonymous' : 'confirmed'
      return { kind, email, emails, key, deviceKey: ofDevice, alias: aliasOf(key) }
    },
  }
}
