CREATE TABLE "account_mails" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"purpose" text COLLATE "C" NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	"returned_at" text COLLATE "C",
	"error" text COLLATE "C",
	CONSTRAINT "account_mails_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);

--> statement-breakpoint
DROP INDEX "users_email";
--> statement-breakpoint
ALTER TABLE "received_mails" ADD COLUMN "holds_more" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "account_mails" ADD CONSTRAINT "account_mails_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "account_mails_id" ON "account_mails" USING btree ("id");
--> statement-breakpoint
CREATE INDEX "account_mails_user" ON "account_mails" USING btree ("tenant_id","user_id","id");
--> statement-breakpoint
CREATE INDEX "account_mails_created" ON "account_mails" USING btree ("created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "users_sign_in" ON "users" USING btree ("email") WHERE password_hash <> '-';
--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email","tenant_id");
