export {
  CommandFailed,
  createOutput,
  type Output,
  table,
  WrongUsage,
} from '../../cli/output.ts'
