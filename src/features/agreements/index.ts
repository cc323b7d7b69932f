export {
  type Agreements,
  agreementOperations,
  createAgreements,
  type PreparedAgreement,
} from './agreements.ts'
export {
  acceptanceRow,
  acceptancesOf,
  agreementRow,
  agreementsOf,
  importAgreements,
} from './import-agreements.ts'
