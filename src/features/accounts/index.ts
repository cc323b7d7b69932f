export { type Accounts, createAccounts } from './accounts.ts'
export { accountOperations } from './operations.ts'
export { createUsage } from './usage.ts'
