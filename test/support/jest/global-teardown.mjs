import { stopSharedPostgres } from '#test/support/shared-postgres.js';

export default stopSharedPostgres;
