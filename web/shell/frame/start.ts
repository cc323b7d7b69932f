import { explainDatabases } from '../../sandbox/explain-databases.ts'
import type { Area, Entries } from '../frame-message.ts'
import { type Connection, connectToShell } from './connection.ts'
import { installCookies } from './cookies.ts'
import { handleLinks } from './links.ts'
import { FILES, IS_AT_ROOT, IS_PREVIEW, openPageAddress } from './location.ts'
import { isGivenBefore, renewAddress } from './renewal.ts'
import { reportHeight } from './report-height.ts'
import { reportLocation } from './report-location.ts'
import { reportViewport } from './report-viewport.ts'
import { dispatchStorageEvent, installStorage, isBlocked } from './storage.ts'
import { offerSubmit } from './submissions.ts'
import { patchWindowOpen } from './window-open.ts'

/**
 * The first script of a framed page. It runs in the page's own realm, where the page can undo all
 * of it, so it protects nothing: it makes a sandboxed page work like one with an origin.
 *
 * @param connectMore called where a shell is around the page
 */
export function start(connectMore: (connection: Connection) => void = () => {}): void {
  if (FILES === null) return
  if (window.top === window) {
    if (IS_PREVIEW) installAreas(null)
    else if (!IS_AT_ROOT) openPageAddress()
    return
  }
  // A frame inside the page has entries of its own, which are not saved.
  const isNested = window.parent !== window.top
  const connection = isNested ? null : connectToShell()
  if (isGivenBefore()) {
    if (isNested || connection !== null) renewAddress(connection?.post ?? null)
    return
  }
  installAreas(connection)
  if (isNested) offerSubmit(null)
  else if (connection !== null) {
    connectPage(connection)
    connectMore(connection)
  }
}

function installAreas(connection: Connection | null): void {
  const { local = [], session = [], cookie = [] } = connection?.entries ?? {}
  const areas = { local: new Map(local), session: new Map(session), cookie: new Map(cookie) }
  const saveEntries = () => connection?.saveEntries(() => entriesOf(areas))
  const reportTo = (area: Area) => (key: string | null, value: string | null) => {
    connection?.post(
      key === null ? { type: 'storage-clear', area } : { type: 'storage', area, key, value },
    )
    saveEntries()
  }
  if (isBlocked('localStorage')) installStorage('localStorage', areas.local, reportTo('local'))
  if (isBlocked('sessionStorage')) {
    installStorage('sessionStorage', areas.session, reportTo('session'))
  }
  installCookies(areas.cookie, reportTo('cookie'))
  explainDatabases()
  saveEntries()
}

function connectPage({ post, onMessage, findFile }: Connection): void {
  onMessage((message) => {
    if (message.type === 'storage-event') dispatchStorageEvent('localStorage', message)
  })
  offerSubmit(post)
  patchWindowOpen()
  handleLinks(post, findFile)
  reportLocation(post, findFile)
  reportHeight(post)
  reportViewport(post)
}

function entriesOf(areas: Record<Area, Map<string, string>>): Record<Area, Entries> {
  return { local: [...areas.local], session: [...areas.session], cookie: [...areas.cookie] }
}
