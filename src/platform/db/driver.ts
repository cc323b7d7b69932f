import type { DatabaseConnection, Driver } from 'kysely'

/** A Kysely driver that sends every query to one connection. `Database` begins transactions. */
export function driverOf(connection: DatabaseConnection, destroy: () => void = () => {}): Driver {
  const ready = Promise.resolve()
  const refuseTransaction = () => Promise.reject(new Error('Use database.write'))
  return {
    init: () => ready,
    acquireConnection: async () => connection,
    releaseConnection: () => ready,
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    destroy: async () => destroy(),
  }
}
