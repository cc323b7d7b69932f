export { operatorOperations } from './operations.ts'
export { createOperator, type Operator, type OperatorDeps } from './operator.ts'
