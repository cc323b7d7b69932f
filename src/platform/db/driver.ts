import type { DatabaseConnection, Driver } from 'kysely'

/** For Kysely: every query goes to the one connection. Transactions are begun elsewhere. */
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
