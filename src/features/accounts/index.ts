export { type Accounts, createAccounts, type NewKey, type SetUp } from './accounts.ts'
