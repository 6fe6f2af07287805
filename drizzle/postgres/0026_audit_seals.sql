ALTER TABLE "audit_heads" ADD COLUMN "plain" bigint;
--> statement-breakpoint
ALTER TABLE "audit_heads" ADD COLUMN "seal" text COLLATE "C";
