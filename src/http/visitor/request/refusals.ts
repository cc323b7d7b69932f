const ALLOW = { allow: 'GET, HEAD' }

/** Requests that are refused for every page, with the texts for programs. */
export const REFUSALS = {
  method: { status: 405, text: 'Method Not Allowed', headers: ALLOW },
  form: {
    status: 405,
    text:
      'Nothing was received: this address takes no forms. To collect responses, add data-service ' +
      'to the <form> of the page.',
    headers: ALLOW,
  },
  service_worker: { status: 403, text: 'Service workers are not served here.', headers: {} },
  prefetch: { status: 503, text: 'A prefetch is not served.', headers: {} },
}
export type Refused = keyof typeof REFUSALS
