import type { Area, Entries } from '../handle-message.ts'
import { installCookies } from './cookies.ts'
import { meetShell } from './handover.ts'
import { keepLinks } from './links.ts'
import { FILES, leaveWindow } from './location.ts'
import { tellPlace, tellPrinting } from './report-location.ts'
import { offerSending } from './sending.ts'
import { installStorage, isBlocked, sendStored } from './storage.ts'
import { keepWindows } from './windows.ts'

/**
 * The first script of a framed page. It runs where the page runs, and the page may undo all of it:
 * nothing here protects anything. It makes a sandboxed page work like one of its own.
 */
function start(): void {
  if (FILES === null) return
  if (window.top === window) {
    leaveWindow()
    return
  }
  const isPage = window.parent === window.top
  const { entries, isHanded, say, hear, keepName } = meetShell(isPage)
  const areas: Record<Area, Map<string, string>> = {
    local: new Map(entries.local),
    session: new Map(entries.session),
    cookie: new Map(entries.cookie),
  }
  const told = (area: Area) => (key: string | null, value: string | null) => {
    say({ area, key, value })
    keepName(() => listsOf(areas))
  }
  if (isBlocked('localStorage')) installStorage('localStorage', areas.local, told('local'))
  if (isBlocked('sessionStorage')) installStorage('sessionStorage', areas.session, told('session'))
  installCookies(areas.cookie, told('cookie'))
  keepName(() => listsOf(areas))
  if (isPage && !isHanded) return
  offerSending(isPage ? say : null)
  if (!isPage) return
  hear((stored) => sendStored('localStorage', stored))
  keepWindows()
  keepLinks(say)
  tellPlace(say)
  tellPrinting(say)
}

function listsOf(areas: Record<Area, Map<string, string>>): Record<Area, Entries> {
  return { local: [...areas.local], session: [...areas.session], cookie: [...areas.cookie] }
}

start()
