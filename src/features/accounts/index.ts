export { type Accounts, createAccounts } from './accounts.ts'
export { accountOperations } from './operations.ts'
