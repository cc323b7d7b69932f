export {
  type Decision,
  decide,
  type Gate,
  type Notice,
  type Question,
  type Visit,
} from './rules.ts'
