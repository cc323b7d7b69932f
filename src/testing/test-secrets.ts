import { createSecrets } from '../platform/secrets.ts'

/** Of the key that protects the data of tests. */
export const testSecrets = createSecrets(new Uint8Array(32).fill(7))
