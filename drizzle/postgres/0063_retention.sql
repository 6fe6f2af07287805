CREATE TABLE "retention_days" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"rule" text COLLATE "C" NOT NULL,
	"days" bigint,
	CONSTRAINT "retention_days_tenant_id_rule_pk" PRIMARY KEY("tenant_id","rule")
);

--> statement-breakpoint
CREATE TABLE "retention_runs" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"rule" text COLLATE "C" NOT NULL,
	"gone" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "retention_runs_tenant_id_rule_pk" PRIMARY KEY("tenant_id","rule")
);

--> statement-breakpoint
DROP INDEX "received_mails_kept";
--> statement-breakpoint
DROP INDEX "responses_partial";
--> statement-breakpoint
DROP INDEX "webhook_batches_finished";
--> statement-breakpoint
ALTER TABLE "audit_heads" ADD COLUMN "dropped" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "audit_heads" ADD COLUMN "dropped_hash" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "retention_days" ADD CONSTRAINT "retention_days_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "retention_runs" ADD CONSTRAINT "retention_runs_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "received_mails_kept" ON "received_mails" USING btree ("tenant_id","received_at","id") WHERE kept_in IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "responses_partial" ON "responses" USING btree ("tenant_id","updated_at","id") WHERE status = 'partial';
--> statement-breakpoint
CREATE INDEX "webhook_batches_finished" ON "webhook_batches" USING btree ("tenant_id","finished_at","id") WHERE "webhook_batches"."finished_at" IS NOT NULL;
