import { z } from 'zod'
import { contractsOf, limitsOf, visitorContractsOf } from '../../model/operation.ts'
import { REFUSAL_REASONS } from '../../model/page/admission.ts'
import { MAX_DAYS } from '../../model/page/facts.ts'
import { nextOffset, paging } from '../../model/paging.ts'

const ownerContract = contractsOf('Analytics', 'owner')
const accountContract = contractsOf('Analytics', 'account')
const MAX_TEXT = 100

const moment = (what: string) => z.string().max(MAX_TEXT).describe(what)
const query = {
  from: moment(
    'The first hour, as a time or `7d` ago, or day, as `2026-11-21`; all by default.',
  ).optional(),
  to: moment('The time before which it ends, or the last day; now by default.').optional(),
  interval: z.enum(['hour', 'day']).default('day').describe('What one point of `series` counts.'),
  tz: z
    .string()
    .max(MAX_TEXT)
    .default('UTC')
    .describe('The time zone of days, such as `Europe/Berlin`.'),
  only: z.literal('views').optional().describe('Views alone, which every plan includes.'),
}

const count = z.object({
  value: z.string().nullable().describe('Null: not known. `other`: all beyond the hundred a day.'),
  views: z.int(),
})
const counts = (what: string) => z.array(count).describe(`${what}, the most first.`)
const seconds = z.int().describe('The time that was measured there, of all views together.')

const place = z.object({
  views: z.int().describe('Measured views that reached it.'),
  seconds,
})

const point = z.object({
  at: z.string().describe('The hour, in UTC; or the day, as `2026-11-21` in `tz`.'),
  views: z.int(),
  viewers: z.int().optional().describe('Those not counted before on that day.'),
})

/** The most pages of an answer: there may be very many, and who reads has use for the first. */
export const MAX_PAGES = 1000

const pageViews = z.object({
  page_id: z.string(),
  views: z.int(),
  series: z.array(z.int()).describe('Views by day, as in `series`.'),
})
export type PageViews = z.output<typeof pageViews>

const report = z
  .object({
    from: z.string().describe('The first hour.'),
    to: z.string().describe('The hour before which it ends.'),
    interval: z.enum(['hour', 'day']),
    tz: z.string(),
    views: z.int(),
    series: z.array(point).describe('Every hour or day, also those without a view.'),
    viewers: z
      .int()
      .optional()
      .describe('Each counted once a day: nothing recognizes a viewer on another day.'),
    referrers: counts('Hosts of the pages that led here').optional(),
    countries: counts('As a proxy in front of the server reports them').optional(),
    devices: counts('`desktop`, `phone`, `tablet` or `program`').optional(),
    browsers: counts('By name').optional(),
    files: z
      .array(z.object({ path: z.string(), views: z.int().describe('Opens of the file.'), seconds }))
      .optional()
      .describe('Files of a deck.'),
    sections: z
      .array(place.extend({ path: z.string().describe('A file and the place in it.') }))
      .optional()
      .describe('Places in the files of a deck that have an address of their own.'),
    sheets: z
      .array(place.extend({ sheet: z.int() }))
      .optional()
      .describe('Pages of a PDF, in their order.'),
    refusals: z
      .array(z.object({ reason: z.enum(REFUSAL_REASONS), count: z.int() }))
      .optional()
      .describe('Requests that a gate or a notice answered, by reason.'),
    measured: z
      .object({
        opens: z.int().describe('Views whose time was measured.'),
        seconds: z.int(),
        seconds_median: z.int().nullable().describe('Null where none was measured.'),
      })
      .optional(),
    pages: z
      .array(pageViews)
      .optional()
      .describe(`With \`group=page\`: the ${MAX_PAGES} pages that were viewed the most.`),
  })
  .meta({ id: 'Analytics', description: 'What is known of the views of a page or an account.' })
export type Report = z.input<typeof report>

const ABOUT =
  'Hours and days without views are in `series` too. Over all time, its views add up to the ' +
  'page’s `views`. Facts other than views are counted by days of UTC: those that the range touches.'

export const getAnalytics = ownerContract({
  summary: 'Read what is known of a page’s views.',
  description: ABOUT,
  http: { method: 'GET', path: '/pages/{id}/analytics', status: 200 },
  tools: {
    get_analytics: {
      description: 'Reads a page’s views, viewers, referrers, devices, refusals and time spent.',
      omit: ['interval', 'tz'],
      output: z.object({ data: report.omit({ series: true, pages: true }) }),
    },
  },
  input: z.strictObject(query),
  data: report.omit({ pages: true }),
  hasStrangersWords: true,
  errors: ['plan_required'],
})

export const getAccountAnalytics = accountContract({
  summary: 'Read what is known of the views of all pages together.',
  description: ABOUT,
  http: { method: 'GET', path: '/analytics', status: 200 },
  input: z.strictObject({
    ...query,
    days: z
      .int()
      .min(1)
      .max(MAX_DAYS)
      .optional()
      .describe('The last days, today included, in place of `from` and `to`.'),
    group: z
      .literal('page')
      .optional()
      .describe('Answers the views of each page too: of those viewed the most, at most 90 days.'),
  }),
  data: report,
  hasStrangersWords: true,
  errors: ['plan_required'],
})
export type AnalyticsQuery = z.output<typeof getAccountAnalytics.input>

const viewer = z.object({
  email: z.string().describe('Confirmed by mail or by signing in.'),
  views: z.int(),
  first_at: z.string(),
  last_at: z.string(),
  version_no: z.int().nullable().describe('The version they saw last; null once it is not kept.'),
  seconds: z.int().describe('The time that was measured of their views.'),
  last_sheet: z.int().nullable().describe('The highest page of a PDF they reached, if measured.'),
  imported_at: z
    .string()
    .nullable()
    .describe('When they were imported; null once this server has confirmed the address.'),
})
export type ConfirmedViewer = z.output<typeof viewer>

export const listViewers = ownerContract({
  summary: 'List those who opened a page with a confirmed address, the latest first.',
  description:
    'Pages with `people` or `email_gate` access have them, on every plan: the gate shows its ' +
    'visitors that the owner sees who opens the page. Who approved what is in the approvals.',
  http: { method: 'GET', path: '/pages/{id}/viewers', status: 200 },
  input: z.strictObject({
    ...paging({ most: 1000, usual: 200 }),
  }),
  output: z.object({
    data: z.array(viewer.meta({ id: 'Viewer' })),
    next_offset: nextOffset,
  }),
})
export type ViewerQuery = z.output<typeof listViewers.input>

/** The most parts of a page that one view reports, and that are counted of it. */
export const MAX_PARTS = 500

const BODY = { maxBytes: 128 * 1024, tooLarge: 'This is more than the time of a view can hold.' }
const visitorContract = visitorContractsOf('visitor', BODY)

export const recordTime = visitorContract({
  summary: 'Report how long a page has been visible in this view, and which parts of it.',
  http: { method: 'POST', path: '/~/time', status: 200 },
  limits: limitsOf('time', { address: 600, viewer: 60 }),
  input: z.strictObject({
    /** Since the view began. */
    seconds: z.int().min(0).max(1_000_000),
    /** Seconds by part: a file of a deck, with the place in it after `#`, or a page of a PDF. */
    parts: z
      .array(z.tuple([z.string().max(1200), z.int().min(0).max(1_000_000)]))
      .max(MAX_PARTS)
      .default([]),
  }),
  output: z.object({}),
  errors: [],
})
