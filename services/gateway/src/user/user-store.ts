// Reads staff users; they are found by e-mail alone at sign-in, because e-mail is unique on the platform.
import type { Role } from "@tradepost/http";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

export interface UserWithPassword {
  readonly id: string;
  readonly tenantId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly active: boolean;
  readonly createdAt: Date;
  readonly passwordHash: string;
}

export async function findUserByEmail(db: Kysely<Tables>, email: string): Promise<UserWithPassword | null> {
  const row = await db
    .selectFrom("users")
    .selectAll()
    .where("email", "=", email.toLowerCase())
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    tenantId: row.tenant_id,
    email: row.email,
    name: row.name,
    role: row.role,
    active: row.active,
    createdAt: row.created_at,
    passwordHash: row.password_hash,
  };
}
