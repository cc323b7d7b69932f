import type { Errors } from './meaning.ts'

/** About the request itself, before any page is looked at. */
export const REQUEST_ERRORS = {
  missing_key: {
    kind: 'unauthenticated',
    meaning: 'The request bears no API key.',
    cure: 'Send the header `Authorization: Bearer sm_…`.',
  },
  bad_key: {
    kind: 'unauthenticated',
    meaning: 'The API key is mistyped, unknown to this server, or revoked.',
    cure: 'Check that the whole key was copied, or make a new one in the app or on the server.',
  },
  operator_only: {
    kind: 'forbidden',
    meaning: 'The account does not operate this server.',
    cure: 'Ask its operator, or use the key of an account that operates it.',
  },
  rate_limited: {
    kind: 'rate_limited',
    meaning: 'Too many requests came in a short time.',
    cure: 'Wait for the seconds that `Retry-After` names, then go on.',
  },
  malformed_json: {
    kind: 'invalid',
    meaning: 'The body is not a JSON object in UTF-8.',
    cure: 'Send one JSON object, made by a JSON library and not by hand.',
  },
  not_json: {
    kind: 'unsupported_media',
    meaning: 'The body is not declared to be JSON.',
    cure: 'Send JSON, with the header `Content-Type: application/json`.',
  },
  encoded_body: {
    kind: 'unsupported_media',
    meaning: 'The body is compressed.',
    cure: 'Send it as it is, without `Content-Encoding`.',
  },
  unknown_parameter: {
    kind: 'invalid',
    meaning: 'The request names a parameter that this operation does not have.',
    cure: 'Correct the spelling of `param`, or leave it out.',
  },
  invalid_parameter: {
    kind: 'invalid',
    meaning: 'A parameter is missing, of a wrong type, or outside its limits.',
    cure: 'Change `param` as the message says.',
  },
  bad_idempotency_key: {
    kind: 'invalid',
    meaning: 'The `Idempotency-Key` is empty or too long.',
    cure: 'Send 1 to 255 characters, such as a UUID, or leave the header out.',
  },
  empty_upload: {
    kind: 'invalid',
    meaning: 'The upload holds no bytes.',
    cure: 'Send the bytes as the body, with curl by `--data-binary @file`.',
  },
  unknown_endpoint: {
    kind: 'not_found',
    meaning: 'The API has nothing at this address.',
    cure: 'Compare the path with the reference; it begins with `/api/v1`.',
  },
  method_not_allowed: {
    kind: 'method_not_allowed',
    meaning: 'The address is right, but does not take this method.',
    cure: 'Use one of the methods that `Allow` names.',
  },
  storage_full: {
    kind: 'unavailable',
    meaning: 'The server has no room left on its disk or in its database; nothing was kept.',
    cure: 'Tell whoever runs the server; once there is room, send it again.',
  },
  internal: {
    kind: 'fault',
    meaning: 'Something went wrong on the server.',
    cure: 'Try again; if it stays, give `request_id` to whoever runs the server.',
  },
} as const satisfies Errors
