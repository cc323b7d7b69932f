import { expect, it } from 'bun:test'
import { testApp } from '../../testing/app.ts'
import { KINDS, type Kind, previewRoutes, previewUrl } from '../../testing/content-routes.ts'
import { CONTENT_URL } from '../../testing/own-host.ts'
import type { Routes } from '../dispatch.ts'
import { describeClosedPages, holderOf, routesOf } from './content-routes.suite.ts'
import type { PageRequest, Resource } from './request/page-request.ts'

describeClosedPages('on sqlite', 'sqlite', null)

/** The routes that ask for each thing. What is added does not compile without a row here. */
const BY_KIND: Record<Resource['kind'], readonly string[]> = {
  document: ['the page, for a program'],
  file: ['the page, for a program'],
  asset: ['a file of a deck'],
  frame: ['a frame', 'a file in a frame', 'a preview', 'a file of a preview'],
  download: ['a saved file of a deck', 'a saved file in a frame', 'the download of the viewer'],
  redirect: ['the page, at an address with a slash', 'a frame, in a window'],
  frame_renewal: ['a new frame token'],
  viewer_renewal: ['the viewer of the panel'],
  nothing: [],
}
const BY_SHAPE: Record<PageRequest['shape'], readonly string[]> = {
  direct: ['the page, for a program'],
  shell: ['the page, in a window'],
  viewer: ['the page, in a window', 'a preview, in a window'],
  own_host: ['a ticket'],
  markdown: ['the page, as Markdown'],
  marked: ['the page, for a program', 'a file in a frame', 'the download of the viewer'],
}
const BY_DISPATCH: Record<keyof Routes, readonly string[]> = {
  visitor: ['the page, in a window', 'the page, for a program', 'a file of a deck'],
  contentHosts: [
    ...['the host, in a window', 'a file on the host', 'a ticket'],
    ...['a frame on the host, by its token', 'a service worker'],
  ],
  visitorOperations: ['/~/comments'],
  probesAndFiles: [],
  // Of no answer: it names the route in the log.
  pageRouteOf: [],
  // `http/every-route.test.ts` walks these.
  apis: [],
  router: [],
}

it('every thing that can be asked for is among the routes', async () => {
  const names = new Set<string>()
  for (const contentUrl of [null, CONTENT_URL]) {
    await using app = await testApp('sqlite', { contentUrl })
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const holder = await holderOf(app, kind)
      const url = await previewUrl(app, holder.owner, holder.page)
      const routes = [...(await routesOf(holder)), ...previewRoutes(holder, { url, cookie: '' })]
      for (const { name } of routes) names.add(name)
    }
  }
  const named = [BY_KIND, BY_SHAPE, BY_DISPATCH].flatMap((table) => Object.values(table).flat())
  expect(named.filter((name) => !names.has(name))).toEqual([])
})
