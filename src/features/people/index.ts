export { createPeople, type PeopleOfPages } from './people.ts'
