import type { Page } from '../../model/page/index.ts'
import type { Viewer } from '../../model/viewer.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { aliasOf } from './aliases.ts'

/** A viewer is known by a confirmed address, or else by the random id of the browser. */
export type ViewerIdentity = { email: string } | { device: string }

export interface Viewers {
  viewerOf(page: Page, identity: ViewerIdentity): Viewer
}

export function createViewers({ secrets }: { secrets: Secrets }): Viewers {
  return {
    viewerOf({ id }, identity) {
      if ('email' in identity) {
        const { email } = identity
        return { key: secrets.sign('viewer', id, 'email', email), email, displayName: email }
      }
      const key = secrets.sign('viewer', id, 'device', identity.device)
      return { key, email: null, displayName: aliasOf(key) }
    },
  }
}
