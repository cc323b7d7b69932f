export { count, formatBytes, formatNumber } from '../../../src/model/numbers.ts'
