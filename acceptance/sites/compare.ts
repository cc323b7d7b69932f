/** Compares a site that is published by the command line with a plain server of the same folder. */
import { expect } from 'bun:test'
import type { Browser } from 'playwright-core'
import { shellOf } from '../client-shell.ts'
import type { Published } from '../origins.ts'
import { type SiteName, servePlainly, siteOf, unpack } from './sites.ts'
import { newVisit, type Stop, walk, walkAgain } from './walk.ts'

/** A server of ours, and an account's key. */
export interface Host {
  base: string
  key: string
}

interface PublishedSite {
  name: SiteName
  page: Published & { needs_origin: string[] }
  /** What the command prints on stderr, one line each. */
  said: string[]
}

/** Publishes the folder of a site as its author does. */
export async function publishSite(name: SiteName, { base, key }: Host): Promise<PublishedSite> {
  const shell = shellOf(key)
  const folder = await unpack(name, shell.folder)
  const env = { HANDBILL_URL: base }
  const { code, stdout, stderr } = await shell.runWith({ env }, 'publish', folder, '--json')
  expect(code, stderr).toBe(0)
  return { name, page: JSON.parse(stdout), said: stderr.split('\n').filter(Boolean) }
}

/** What a walk through the site on a plain server shows. */
export async function walkPlainly(browser: Browser, name: SiteName): Promise<Stop[]> {
  const site = siteOf(name)
  const folder = await unpack(name, shellOf(null).folder)
  using plain = servePlainly(folder, site)
  const visit = await newVisit(browser, `http://127.0.0.1:${plain.port}`, site.entry)
  const stops = await walk(visit, site)
  await visit.tab.context().close()
  expect(visit.problems).toEqual([])
  const reached = stops.flatMap(({ shown: { address } }) => [address, address.replace(/#.*/, '')])
  expect(reached).toEqual(expect.arrayContaining(Object.keys(site.documents)))
  return stops
}

/** Opens a published page, and walks through it as on the plain server. */
export async function compare(
  browser: Browser,
  { name, page: { url } }: PublishedSite,
  stops: readonly Stop[],
): Promise<void> {
  const visit = await newVisit(browser, url, siteOf(name).entry)
  await visit.tab.goto(url)
  const { origin } = new URL(visit.tab.url())
  // On a host of its own, the site stands at the root.
  if (origin !== new URL(url).origin) visit.root = origin
  await walkAgain(visit, stops)
  expect(visit.problems).toEqual([])
}

/** The lines that warn. */
export const warningsIn = ({ said }: PublishedSite): string[] =>
  said.filter((line) => line.startsWith('Warning: '))
