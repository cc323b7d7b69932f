export { type Accounts, createAccounts } from './accounts.ts'
