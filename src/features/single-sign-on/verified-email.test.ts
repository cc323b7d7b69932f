import { expect, test } from 'bun:test'
import { verifiedEmail } from './openid-provider.ts'

const ANN = 'ann@example.com'
const ENTRA = 'https://login.microsoftonline.com/6e1b/v2.0'
const OTHER = 'https://login.example.com'

const CASES: [string, string, Record<string, unknown>, string | null][] = [
  ['verified', OTHER, { email_verified: true }, ANN],
  ['verified, as text', OTHER, { email_verified: 'true' }, ANN],
  ['not verified', OTHER, { email_verified: false }, null],
  ['not verified, as text', OTHER, { email_verified: 'false' }, null],
  ['a number', OTHER, { email_verified: 1 }, null],
  ['no word about it', OTHER, {}, null],
  ['the claim of Entra elsewhere', OTHER, { xms_edov: true }, null],
  ['Entra, verified domain', ENTRA, { xms_edov: true }, ANN],
  ['Entra, as a number', ENTRA, { xms_edov: 1 }, ANN],
  ['Entra, as text', ENTRA, { xms_edov: '1' }, ANN],
  ['Entra, another domain', ENTRA, { xms_edov: false }, null],
  ['Entra, another domain as text', ENTRA, { xms_edov: '0' }, null],
  ['Entra, no word about it', ENTRA, {}, null],
  ['Entra, which says no in another claim', ENTRA, { xms_edov: true, email_verified: false }, null],
  ['a host like that of Entra', 'https://login.microsoftonline.com.x.net', { xms_edov: 1 }, null],
  ['no text', OTHER, { email: [ANN], email_verified: true }, null],
  ['no address', OTHER, { email: 'ann', email_verified: true }, null],
  ['another case', OTHER, { email: 'ANN@Example.com', email_verified: true }, ANN],
]
test.each(CASES)('%s', (_, issuer, claims, email) => {
  expect(verifiedEmail({ email: ANN, ...claims }, issuer)).toBe(email)
})
