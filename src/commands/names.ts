import { ADMIN } from './admin.ts'

/** Checks of a server, in checks.ts. They open no database. */
export const CHECK_NAMES = ['healthcheck', 'mail test']

/** The commands where the server runs; `serve` is apart. */
export const SERVER_NAMES = [...Object.keys(ADMIN), ...CHECK_NAMES]
