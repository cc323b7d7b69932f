/**
 * Scripts of any site may call the API with a key that they hold. The API reads no cookies, so
 * `*` without credentials gives a site nothing that its own server could not ask for.
 */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Accept-Ranges, Allow, Content-Disposition, Content-Range, ETag, RateLimit, ' +
    'RateLimit-Policy, Retry-After, X-Request-Id',
} as const

/** Whether the request is a CORS preflight. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('access-control-request-method')
}

export function preflightResponse(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS_HEADERS,
      'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
      'access-control-allow-headers':
        'Authorization, Content-Type, Handbill-Source, Idempotency-Key, If-Match, ' +
        'If-None-Match, If-Range, Range',
      'access-control-max-age': '7200',
    },
  })
}
