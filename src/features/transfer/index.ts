export { createExport, type ExportDeps } from './export.ts'
export { createImport, type ImportDeps, type PageToImport } from './import.ts'
export { createTransfer, type Transfer, transferOperations } from './transfer.ts'
