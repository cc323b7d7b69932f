import { S3Failure, type S3Settings } from './client.ts'

/** Codes that say that the bucket is somewhere else. */
const ELSEWHERE = [
  'PermanentRedirect',
  'TemporaryRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
]

/**
 * What to change if the store refuses a request permanently: one line, without the key. Null for a
 * temporary error.
 */
export function wrongSetting(err: unknown, { endpoint, bucket }: S3Settings): string | null {
  if (!(err instanceof S3Failure)) return null
  const { status, code } = err
  if (status >= 500 || status === 408 || status === 429) return null
  const { host } = new URL(endpoint)
  const said = code ?? String(status)
  if (code === 'NoSuchBucket' || (code === null && status === 404)) {
    return `${host} has no bucket ${bucket}: make it, or correct S3_BUCKET or S3_ENDPOINT.`
  }
  if (ELSEWHERE.includes(code ?? '') || (status >= 300 && status < 400)) {
    return (
      `${host} has the bucket ${bucket} in another region (${said}): correct S3_REGION or ` +
      'S3_ENDPOINT.'
    )
  }
  if (status === 401 || status === 403) {
    return (
      `${host} refuses the key for the bucket ${bucket} (${said}): correct S3_ACCESS_KEY_ID and ` +
      'S3_SECRET_ACCESS_KEY, and let the key list, read, write and delete.'
    )
  }
  return `${host} refuses to list the bucket ${bucket} (${said}): check S3_ENDPOINT and S3_BUCKET.`
}
