import { base64, fileOf } from './material.ts'
import { anyJson, anyText, fc } from './property.ts'

const PNG = base64(fileOf('png'))
const isoText = fc.constantFrom('2030-01-01T00:00:00Z', '2030-02-30T00:00:00Z', '2030-01-01', 'now')
/** The fields of a create's body, with values that are sometimes valid. */
const FIELDS: Record<string, fc.Arbitrary<unknown>> = {
  html: fc.oneof(anyText, fc.constant('<title>T</title><p>x')),
  html_base64: fc.oneof(anyText, fc.constant(base64('<p>x'))),
  html_upload: anyText,
  sha256: fc.oneof(anyText, fc.constant('0'.repeat(64))),
  files: fc.array(
    fc.record({ path: anyText, html: anyText, upload: anyText }, { requiredKeys: [] }),
    { maxLength: 3 },
  ),
  assets: fc.array(fc.record({ path: anyText, data_base64: fc.oneof(anyText, fc.constant(PNG)) }), {
    maxLength: 3,
  }),
  entry: anyText,
  file_base64: fc.oneof(anyText, fc.constant(PNG)),
  file_upload: anyText,
  filename: fc.oneof(anyText, fc.constant('a.png')),
  mime: fc.oneof(anyText, fc.constant('image/png')),
  title: fc.oneof(anyText, fc.constant(null)),
  slug: fc.oneof(anyText, fc.stringMatching(/^[a-z0-9][a-z0-9-]{2,62}$/)),
  access: fc.oneof(anyText, fc.constantFrom('link', 'people', 'private', 'password')),
  allowed_emails: fc.array(fc.oneof(anyText, fc.emailAddress()), { maxLength: 3 }),
  allowed_domains: fc.array(fc.oneof(anyText, fc.domain()), { maxLength: 3 }),
  password: fc.oneof(anyText, fc.string({ minLength: 4 })),
  publish: fc.boolean(),
  indexed: fc.boolean(),
  expires_at: fc.oneof(anyText, isoText, fc.constant(null)),
  max_views: fc.oneof(fc.integer(), fc.double(), fc.constant(null)),
  og_title: fc.oneof(anyText, fc.constant(null)),
  og_description: fc.oneof(anyText, fc.constant(null)),
  accent: fc.oneof(anyText, fc.constant('red')),
  collect_votes: fc.boolean(),
  poll_question: anyText,
  poll_options: fc.array(anyText, { maxLength: 14 }),
  collect_approvals: fc.boolean(),
  approver_emails: fc.array(fc.emailAddress(), { maxLength: 2 }),
  responses_closed_at: fc.oneof(isoText, fc.constant(null)),
}
const mixed = Object.fromEntries(
  Object.entries(FIELDS).map(([name, value]) => [
    name,
    fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: anyJson }),
  ]),
)
const someFields = fc.record(mixed, { requiredKeys: [] })
/** One source and a few other fields, so that some bodies are accepted. */
const likelyBody = fc
  .record({
    source: fc.constantFrom(
      { html: '<title>Plan</title><p>x' },
      { html_base64: base64('<p>y') },
      { files: [{ path: 'index.html', html: '<p>z' }] },
      { file_base64: PNG, filename: 'a.png' },
    ),
    names: fc.subarray(Object.keys(mixed), { maxLength: 4 }),
    all: fc.record(mixed),
  })
  .map(({ source, names, all }) => ({
    ...source,
    ...Object.fromEntries(names.map((name) => [name, all[name]])),
  }))

/** JSON bodies for a create or an update: mostly invalid, sometimes accepted. */
export const bodies = fc.oneof(
  likelyBody.map((body) => JSON.stringify(body)),
  someFields.map((body) => JSON.stringify(body)),
  anyJson.map((body) => JSON.stringify(body)),
)
