import { ADMIN } from './admin.ts'

/** Commands that do not work on the data of a server, in apart.ts. */
export const APART_NAMES = ['healthcheck', 'mail test', 'backup list', 'backup restore']

/** The commands where the server runs; `serve` is apart. */
export const SERVER_NAMES = [...Object.keys(ADMIN), ...APART_NAMES]
